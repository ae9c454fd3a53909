import { effect, signal } from '@preact/signals'

export type Theme = 'system' | 'light' | 'dark'

const KEY = 'halley-theme'
const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }

/**
 * Returns the theme that the user chose. Returns `system` if no choice is stored, or if the browser refuses storage to
 * the page.
 */
function stored(): Theme {
  try {
    const found = localStorage.getItem(KEY)
    return found === 'light' || found === 'dark' ? found : 'system'
  } catch {
    return 'system'
  }
}

export const theme = signal<Theme>(stored())

effect(() => {
  document.documentElement.dataset.theme = theme.value
  try {
    localStorage.setItem(KEY, theme.value)
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
})

export function switchTheme(): void {
  theme.value = NEXT[theme.value]
}
