simd start --with-comet=false                       # the application, at tcp://127.0.0.1:26658
halley start --home ~/.simapp                       # the node; proxy_app is tcp://127.0.0.1:26658 unless config.toml says more
