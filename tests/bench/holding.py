"""How much memory one call holds at its height, measured in a process of its own.

`python holding.py ours 1024 8 64` prints the bytes beyond what was there before the call. A fresh
process, because memory that an earlier call gave back may still be counted as held.
"""

import subprocess
import sys
from pathlib import Path

import rivals
import torch

import attn_lab

STATUS, REFS = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def peak_bytes(name: str, T: int, heads: int, d: int) -> int | None:
    """The bytes for one of the calls in `rivals`, None where this system does not tell."""
    command = [sys.executable, __file__, name, *map(str, (T, heads, d))]
    done = subprocess.run(command, capture_output=True, text=True)
    return int(done.stdout) if done.returncode == 0 else None


def _measure(name: str, T: int, heads: int, d: int) -> int:
    device = attn_lab.device()
    run = getattr(rivals, name)
    run(rivals.inputs(512, heads, d, device))  # what is loaded at first use
    x = rivals.inputs(T, heads, d, device)
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
        before = torch.cuda.memory_allocated(device)
        run(x)
        return torch.cuda.max_memory_allocated(device) - before
    REFS.write_text("5")  # Linux: forget the highest mark so far
    before = _kilobytes("VmHWM")
    kept = run(x)
    height = _kilobytes("VmHWM")
    del kept
    return (height - before) * 1024


def _kilobytes(field: str) -> int:
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(field))
    return int(line.split()[1])


if __name__ == "__main__":
    print(_measure(sys.argv[1], *map(int, sys.argv[2:])))
