#!/usr/bin/env node
import { existsSync } from 'node:fs'

// The published package contains JavaScript. In the repository, the TypeScript sources run directly.
const built = new URL('../dist/main.js', import.meta.url)
await import(existsSync(built) ? built.href : new URL('../src/main.ts', import.meta.url).href)
