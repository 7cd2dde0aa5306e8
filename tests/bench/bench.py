"""`make bench`: how long attention takes, beside what else computes it, in one run.

Every number is a ratio of medians of runs that took turns on this machine. ARGS go on to it:
`make bench ARGS="--longest 1024 --threads 1"`. On a GPU: ATTN_LAB_DEVICE=cuda.
"""

import argparse
import os
import platform

import rivals
import torch
from holding import peak_bytes
from slider import slider_ratio
from starting import import_seconds
from timing import medians

import attn_lab

# T, heads, width of a head, repeats: the course's own sizes, then those of a small model
SIZES = [
    (4, 1, 2, 400),
    (16, 2, 8, 400),
    (64, 8, 64, 200),
    (256, 8, 64, 60),
    (1024, 8, 64, 25),
    (2048, 8, 64, 11),
    (4096, 8, 64, 7),
]
LARGE, SMALL = 1024, 64  # the sizes from which, and up to which, the reaches below hold
HEAD = """\
                    with weights                             without weights
    T heads  d       ms  /5 lines  /module    memory         /kernel   /masked    memory"""
REACHES = """\
* misses its reach. T >= 1024: 0.5 of the article's five lines, 0.85 of nn.MultiheadAttention's
arithmetic, memory 1.1 times the weights; without weights 1.25 of torch's fused kernel (causal path,
and with another mask). T <= 64: 1.5 of the five lines. Memory is in units of the weights."""


def main() -> None:
    asked = _asked()
    torch.set_num_threads(asked.threads)
    torch.backends.cuda.matmul.allow_tf32 = False
    device = attn_lab.device()
    where = torch.cuda.get_device_name(device) if device.type == "cuda" else _processor()
    print(f"{where}; {asked.threads} threads; torch {torch.__version__}; float32, causal mask")
    print(HEAD)
    for T, heads, d, repeats in SIZES:
        if T <= asked.longest:
            print(_row(T, heads, d, max(3, round(repeats * asked.repeats)), device), flush=True)
    print(REACHES)
    print(f"import attn_lab: {import_seconds() * 1e3:.0f} ms (reach 50)")
    ratio, why = slider_ratio()
    found = why if ratio is None else f"{ratio:.2f} of interact and pyplot (reach 0.15), {why}"
    print(f"slider step to painted map: {found}; two frames of the display are in each")


def _row(T: int, heads: int, d: int, repeats: int, device: torch.device) -> str:
    x = rivals.inputs(T, heads, d, device)
    names = ("ours", "five_lines", "module_arithmetic", "ours_alone", "fused_kernel")
    if T >= LARGE:
        names += ("ours_masked", "fused_kernel_masked")
    took = medians({name: getattr(rivals, name) for name in names}, x, repeats, device)

    def ratio(ours: str, theirs: str, large: float | None, small: float | None = None) -> str:
        if ours not in took:
            return " " * 9
        reach = large if T >= LARGE else small if T <= SMALL else None
        return _cell(took[ours] / took[theirs], reach)

    def memory(name: str, reach: float | None) -> str:
        held = peak_bytes(name, T, heads, d) if T >= LARGE else None
        return " " * 9 if held is None else _cell(held / (4 * heads * T * T), reach)

    return (
        f"{T:5d} {heads:5d} {d:2d} {took['ours'] * 1e3:8.2f}"
        f" {ratio('ours', 'five_lines', 0.5, 1.5)} {ratio('ours', 'module_arithmetic', 0.85)}"
        f" {memory('ours', 1.1)}       {ratio('ours_alone', 'fused_kernel', 1.25)}"
        f" {ratio('ours_masked', 'fused_kernel_masked', 1.25)} {memory('ours_alone', None)}"
    )


def _cell(ratio: float, reach: float | None) -> str:
    return f"{ratio:8.2f}{'*' if reach is not None and ratio > reach else ' '}"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            name = next(line.partition(":")[2].strip() for line in lines if "model name" in line)
    except (OSError, StopIteration):
        name = platform.machine()
    return f"{name}, {os.cpu_count()} cores"


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--longest", type=int, default=4096, help="leave out longer sequences")
    parser.add_argument("--repeats", type=float, default=1.0, help="times as many repeats")
    return parser.parse_args()


if __name__ == "__main__":
    main()
