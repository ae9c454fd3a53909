halley start --home ./home --proxy_app=persistent_kvstore --instrumentation.prometheus
