// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts quote expressions of the source

/**
 * A regular expression that the check accepts. `why` is the reason why no text from outside of the node can make it
 * slow.
 */
interface AllowedRegExp {
  readonly file: string
  /** The expression as it is in the source. */
  readonly text: string
  readonly why: string
}

/** Expressions that may take more than linear time. The length of their input is limited, so this does no harm. */
export const ALLOWED_SLOW: readonly AllowedRegExp[] = [
  {
    file: 'packages/rpc/src/transports/listen.ts',
    text: "/, \\w+ '.*'$/",
    why: "The expression reads Node's message about a TLS file that the operator names.",
  },
  {
    file: 'tooling/check/src/comments.ts',
    text: String.raw`/\/\*[^*]*(?:\*(?!\/)[^*]*)*\*\/|(?:\/\/[^\n]*(?:\n[ \t]*(?=\/\/))?)+/g`,
    why: "The expression reads this repository's own source.",
  },
  {
    file: 'tooling/check/src/imports.ts',
    text: String.raw`/^(?:import|export|\})[^'"\n]*\bfrom\s+['"]([^'"]+)['"]|^import\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm`,
    why: "The expression reads this repository's own source.",
  },
]

/** Expressions that are built while the program runs, so that the check cannot read them. */
export const ALLOWED_DYNAMIC: readonly AllowedRegExp[] = [
  {
    file: 'tooling/bench/src/workloads/rpc-hold.ts',
    text: "new RegExp(`^${LAG}\\\\S* (\\\\S+)$`, 'm')",
    why: "The expression reads the metrics of the benchmark's own node.",
  },
  {
    file: 'tooling/golden/src/replay/compare.ts',
    text: "new RegExp(`^${pattern}$`, 's')",
    why: 'Pattern and text come from recordings in this repository.',
  },
  {
    file: 'tooling/golden/src/replay/compare.ts',
    text: 'new RegExp(`^(?:${rule.path})$`)',
    why: 'Pattern and text come from recordings in this repository.',
  },
]
