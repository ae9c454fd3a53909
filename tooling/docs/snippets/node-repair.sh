halley rollback --home ./home
halley reindex-event --home ./home
