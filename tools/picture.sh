#!/bin/sh
# Takes the README's picture: the first screen of the page that `semiosis demo` writes.
set -eu
page=$(realpath "${1:-semiosis-demo/comparison.html}")
picture=${2:-docs/images/comparison.png}
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
"$(dirname "$0")/system.sh"
mkdir -p "$(dirname "$picture")"
chromium --headless=new --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
  --user-data-dir="$profile" --window-size=1440,1058 --screenshot="$profile/page.png" "file://$page" 2>/dev/null
# With a palette, the file is smaller than half a megabyte.
.venv/bin/python - "$profile/page.png" "$picture" <<'PYTHON'
import sys
from PIL import Image

source, target = sys.argv[1:]
Image.open(source).convert("RGB").quantize(256, dither=Image.Dither.FLOYDSTEINBERG).save(target, optimize=True)
PYTHON
echo "$picture"
