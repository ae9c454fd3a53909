halley light CHAIN -p http://127.0.0.1:26657 -w http://127.0.0.1:26667 --height 1 --hash HASH
