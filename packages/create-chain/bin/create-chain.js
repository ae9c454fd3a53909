#!/usr/bin/env node
import { existsSync } from 'node:fs'

// The repository runs its TypeScript as it is; what is published is JavaScript.
const built = new URL('../dist/main.js', import.meta.url)
await import(existsSync(built) ? built.href : new URL('../src/main.ts', import.meta.url).href)
