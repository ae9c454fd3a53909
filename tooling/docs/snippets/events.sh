curl "http://127.0.0.1:26657/events?query=tm.event='NewBlock'&after=1"
