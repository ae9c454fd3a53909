import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const here = new URL('./', import.meta.url)

/** Writes the page and its bundle to `dist`. */
const bundle = await rolldown({ input: fileURLToPath(new URL('page.ts', here)), platform: 'browser' })
const { output } = await bundle.generate({ format: 'iife', minify: true })
await bundle.close()
const target = new URL('dist/', here)
mkdirSync(target, { recursive: true })
writeFileSync(new URL('page.js', target), output[0].code)
copyFileSync(new URL('index.html', here), new URL('index.html', target))
console.log(`Open ${fileURLToPath(new URL('index.html', target))} in a browser.`)
