simd start --with-comet=false
halley start --devnet --home ~/.simapp --app-restart ./restart.sh
curl 'http://127.0.0.1:26657/advance_blocks?num_blocks=100'
curl 'http://127.0.0.1:26657/advance_time?duration_in_seconds=86400'
