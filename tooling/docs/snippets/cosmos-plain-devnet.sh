simd start --with-comet=false
halley devnet --home ~/.simapp --proxy_app tcp://127.0.0.1:26658
