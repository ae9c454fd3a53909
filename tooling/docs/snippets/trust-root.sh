halley snapshot trust-root --node http://127.0.0.1:26657 --node http://127.0.0.1:26667
