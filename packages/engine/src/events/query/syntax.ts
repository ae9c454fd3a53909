/** The kinds of tokens in a query, with their names in error messages. */
export const TOKEN_NAMES = {
  invalid: 'invalid token',
  tag: 'tag',
  string: 'string',
  number: 'number',
  time: 'timestamp',
  date: 'datestamp',
  and: 'AND operator',
  contains: 'CONTAINS operator',
  exists: 'EXISTS operator',
  '=': '= operator',
  '<': '< operator',
  '<=': '<= operator',
  '>': '> operator',
  '>=': '>= operator',
} as const

export type Token = keyof typeof TOKEN_NAMES
export type Operator = '=' | '<' | '<=' | '>' | '>=' | 'contains' | 'exists'
export type RangeOperator = '<' | '<=' | '>' | '>='

export interface Argument {
  readonly type: 'string' | 'number' | 'time' | 'date'
  /** The text of the token, without its quotes, or without the word TIME or DATE before it. */
  readonly text: string
}

/** A condition of the form `tag operator argument`. With the operator EXISTS, the argument is missing. */
export interface Condition {
  readonly tag: string
  readonly operator: Operator
  readonly argument: Argument | undefined
}

/** A parsed query: conditions that must all hold. */
export interface Query {
  readonly conditions: readonly Condition[]
  /** The query as text in a normal form. Queries with equal conditions have equal texts. */
  readonly text: string
}

const OPERATOR_TEXTS: Partial<Record<Operator, string>> = { contains: 'CONTAINS', exists: 'EXISTS' }

function argumentText({ type, text }: Argument): string {
  if (type === 'string') return `'${text}'`
  if (type === 'time') return `TIME ${text}`
  return type === 'date' ? `DATE ${text}` : text
}

export function formatConditions(conditions: readonly Condition[]): string {
  return conditions
    .map(({ tag, operator, argument }) => {
      const text = `${tag} ${OPERATOR_TEXTS[operator] ?? operator}`
      return argument === undefined ? text : `${text} ${argumentText(argument)}`
    })
    .join(' AND ')
}

export function isRangeOperator(operator: Operator): operator is RangeOperator {
  return operator === '<' || operator === '<=' || operator === '>' || operator === '>='
}
