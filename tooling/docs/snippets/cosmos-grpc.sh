simd start --with-comet=false --transport grpc --address 127.0.0.1:26658
halley start --home ~/.simapp --abci grpc --proxy_app 127.0.0.1:26658
