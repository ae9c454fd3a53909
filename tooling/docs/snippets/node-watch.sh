curl http://127.0.0.1:26657/readyz
curl http://127.0.0.1:26657/net_info
curl http://127.0.0.1:26660/metrics
