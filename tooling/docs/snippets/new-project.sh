npm create @org/chain my-chain
cd my-chain
npm run dev
