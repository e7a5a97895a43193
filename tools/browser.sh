#!/bin/sh
# Makes sure there is a Chromium for the tests that look at pages in a real browser.
set -eu
for name in chromium chromium-browser google-chrome; do
  if command -v "$name" >/dev/null 2>&1; then exit 0; fi
done
echo "Installing chromium for the browser tests ..." >&2
run=""
if [ "$(id -u)" -ne 0 ]; then run="sudo"; fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo "No apt-get here. Install Chromium or Chrome so that 'chromium' or 'google-chrome' is on the path." >&2
  exit 1
fi
$run apt-get update -qq >/dev/null
DEBIAN_FRONTEND=noninteractive $run apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >/dev/null
