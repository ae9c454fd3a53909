import type { ComponentChildren } from 'preact'

interface PanelProps {
  readonly title: string
  readonly children: ComponentChildren
  /** A link or a button beside the title. */
  readonly aside?: ComponentChildren
}

/** Shows a part of a screen with a title. */
export function Panel({ title, children, aside }: PanelProps) {
  return (
    <section class="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}

/** Shows a table, which scrolls to the side on a narrow screen. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls needs the keyboard
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  )
}

/** Shows a list of names with their values. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
