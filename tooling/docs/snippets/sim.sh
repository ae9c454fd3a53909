npx pnpm@12.21.0 sim --seeds 1..3 --fresh
npx pnpm@12.21.0 sim --seed 2
