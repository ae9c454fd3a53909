import { loadavg } from 'node:os'
import { open } from '@org/ui/testing'
import { withSite } from './site.ts'

const SECONDS = 8
const NETWORKS = [4, 20, 40]

/** Prints the frames per second of the picture while a network runs at the default speed. */
await withSite(async (browser, origin) => {
  for (const validators of NETWORKS) {
    const { page } = await open(browser, `${origin}/#seed=1&n=${validators}&t=1000`)
    await page.locator('.digest').waitFor({ timeout: 120_000 })
    await page.getByRole('button', { name: 'Play' }).click()
    const before = Number.parseFloat((await page.textContent('.clock')) ?? '')
    const { frames, longest } = await page.evaluate(
      (seconds) =>
        new Promise<{ frames: number; longest: number }>((resolve) => {
          let [frames, begin, last, longest] = [0, 0, 0, 0]
          const count = (now: number): void => {
            if (begin === 0) begin = now
            else {
              frames++
              longest = Math.max(longest, now - last)
            }
            last = now
            if (now - begin > seconds * 1000) resolve({ frames, longest })
            else requestAnimationFrame(count)
          }
          requestAnimationFrame(count)
        }),
      SECONDS,
    )
    const after = Number.parseFloat((await page.textContent('.clock')) ?? '')
    const speed = ((after - before) / SECONDS).toFixed(2)
    const load = loadavg()[0]?.toFixed(1)
    console.log(
      `${validators} validators: ${(frames / SECONDS).toFixed(1)} frames/s, longest frame ${longest.toFixed(0)} ms, virtual time ${speed}×, load ${load}`,
    )
    await page.close()
  }
})
