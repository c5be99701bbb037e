#!/usr/bin/env bash
# Checks a GPU in a few minutes: build with its backend, compare it with the processor, train a little.
# Usage: scripts/gpu_check.sh cuda|vulkan|wgpu [NUMBER]
set -euo pipefail
cd "$(dirname "$0")/.."
backend=${1:?usage: scripts/gpu_check.sh cuda|vulkan|wgpu [NUMBER]}
device=$backend:${2:-0}

cargo build --release --features "$backend"
tribord=target/release/tribord
"$tribord" doctor
run=$(mktemp -d)
trap 'rm -rf "$run"' EXIT
# A run on a GPU begins by comparing one forward pass and one gradient with the processor.
"$tribord" train configs/einstein/smoke.toml --device "$device" --run "$run/smoke"
"$tribord" bench configs/einstein/gpu.toml --device "$device"
