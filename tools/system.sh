#!/bin/sh
# Installs programs that the tests need and no Python package provides: Chromium, Firefox, Graphviz, TeX and a Chinese font.
set -eu
packages=""
found=""
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then found="$name"; fi
done
if [ -z "$found" ]; then packages="$packages chromium fonts-dejavu-core"; fi
if ! command -v firefox-esr >/dev/null 2>&1 && ! command -v firefox >/dev/null 2>&1; then
  packages="$packages firefox-esr"
fi
if ! command -v dot >/dev/null 2>&1; then packages="$packages graphviz"; fi
if ! command -v pdflatex >/dev/null 2>&1; then packages="$packages texlive-latex-base texlive-latex-recommended"; fi
if ! [ -e /usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf ]; then
  packages="$packages fonts-droid-fallback"  # Chinese in figures
fi
if [ -z "$packages" ]; then exit 0; fi
echo "Installing$packages for the tests ..." >&2
run=""
if [ "$(id -u)" -ne 0 ]; then run="sudo"; fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "apt-get is not available. Install these programs by hand:$packages" >&2
  exit 1
fi
$run apt-get update -qq >/dev/null
DEBIAN_FRONTEND=noninteractive $run apt-get install -y -qq --no-install-recommends $packages >/dev/null
