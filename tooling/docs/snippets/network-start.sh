halley start --home ./mine --proxy_app=persistent_kvstore --p2p.persistent_peers=ID@127.0.0.1:26656
