npx pnpm@12.21.0 start
