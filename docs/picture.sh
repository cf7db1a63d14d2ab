#!/usr/bin/env bash
# Makes docs/varview.png from the running program. Needs tmux, aha and chromium (Debian packages of these names).
set -euo pipefail
cd "$(dirname "$0")/.."
columns=120 rows=30
work=$(mktemp -d)
trap 'tmux -L varview-picture kill-server 2>/dev/null || true; rm -rf "$work"' EXIT

go build -o "$work/varview" .
cp testdata/godot4/save-player-stats.bin "$work"
printf 'set -g default-terminal "tmux-256color"\nset -ga terminal-overrides ",*:Tc"\n' >"$work/tmux.conf"
tmux -L varview-picture -f "$work/tmux.conf" new-session -d -x $columns -y $rows \
	"env TERM=xterm-256color COLORTERM=truecolor $work/varview --theme dark $work/save-player-stats.bin"
sleep 1
for key in j j j j j j j enter C-u 1 2 0 enter j j j l; do
	tmux -L varview-picture send-keys "$key"
	sleep 0.1
done
sleep 0.5
tmux -L varview-picture capture-pane -p -e | aha --black --title varview >"$work/page.html"
style='font:15px/18px "DejaVu Sans Mono",monospace;background:#14161b;color:#d5d8df;margin:0;padding:12px;display:inline-block'
sed -i "s|<pre>|<pre style='$style'>|; s|<body[^>]*>|<body style='margin:0;background:#14161b'>|" "$work/page.html"
chromium --headless --no-sandbox --disable-gpu --disable-background-networking --disable-sync --hide-scrollbars \
	--user-data-dir="$work/profile" --window-size=$((columns * 903 / 100 + 26)),$((rows * 18 + 24)) \
	--screenshot=docs/varview.png "file://$work/page.html" >/dev/null 2>&1
echo docs/varview.png
