"""The wheel runs the demo in a fresh environment outside the checkout."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
UV = Path(sys.executable).with_name("uv")
MAX_WHEEL_BYTES = 8_000_000


def _run(*words: object, cwd: Path) -> str:
    home = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "VIRTUAL_ENV"}}
    done = subprocess.run(
        [str(w) for w in words], cwd=cwd, env=home, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
def test_the_wheel_alone_runs_the_demo(tmp_path: Path) -> None:
    _run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, ROOT, cwd=tmp_path)
    (wheel,) = tmp_path.glob("semiosis-*.whl")
    assert wheel.stat().st_size < MAX_WHEEL_BYTES
    _run(UV, "venv", "--quiet", "--python", sys.executable, tmp_path / "fresh", cwd=tmp_path)
    python = tmp_path / "fresh" / "bin" / "python"
    install = ("pip", "install", "--quiet", "--python", python, "--constraint", ROOT / "constraints.txt")
    _run(UV, *install, wheel, cwd=tmp_path)
    outside = tmp_path / "elsewhere"
    outside.mkdir()
    printed = _run(python.with_name("semiosis"), "demo", cwd=outside)
    assert "How far judges agree with people" in printed
    assert list(outside.glob("semiosis-demo/*.html"))
