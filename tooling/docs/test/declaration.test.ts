import { expect, test } from 'vitest'
import { declarationsOf, plainDoc } from '../src/api/declaration.ts'

test('default: plainDoc removes the comment marks of a docstring, and makes links to code', () => {
  expect(plainDoc('/** Throws a {@link ChainError} for a `name`. */')).toBe('Throws a `ChainError` for a `name`.')
  expect(plainDoc('/**\n * First line\n * and the second.\n *\n * - item\n */')).toBe(
    'First line\nand the second.\n\n- item',
  )
})

test('default: declarationsOf returns the kind, docstring and text of each name', () => {
  const found = declarationsOf(`/** Adds. */
export declare function add(a: number, b: number): number;
export declare function add(a: bigint, b: bigint): bigint;
/** Not about the value. */

declare const other: 1;
export interface Shape {
    /** In metres. */
    readonly width: import("./unit.ts").Metre;
}
export {};
`)
  expect(found.get('add')).toEqual([
    { kind: 'function', doc: 'Adds.', text: 'function add(a: number, b: number): number;' },
    { kind: 'function', doc: '', text: 'function add(a: bigint, b: bigint): bigint;' },
  ])
  expect(found.get('Shape')?.[0]?.text).toBe('interface Shape {\n  /** In metres. */\n  readonly width: Metre;\n}')
  expect([...found.keys()]).toEqual(['add', 'other', 'Shape'])
})

test('default: a value and a type of one name are two declarations', () => {
  const found = declarationsOf(
    '/** A vote. */\nexport declare const Vote: Schema;\nexport type Vote = Infer<typeof Vote>;\n',
  )
  expect(found.get('Vote')?.map(({ kind }) => kind)).toEqual(['value', 'type'])
})

test('behavior: private members of a class are left out', () => {
  const [found] =
    declarationsOf(`export declare class Box {
    #private;
    private secret;
    readonly open: boolean;
    private hide(): void;
}
`).get('Box') ?? []
  expect(found?.text).toBe('class Box {\n  readonly open: boolean;\n}')
})

test('behavior: the inferred type of a value is cut', () => {
  const members = Array.from({ length: 200 }, (_, index) => `    m${index}: 1;`).join('\n')
  const [found] = declarationsOf(`export declare const big: {\n${members}\n};\n`).get('big') ?? []
  expect(found?.text.split('\n')).toHaveLength(31)
  expect(found?.text).toMatch(/m28: 1;\n\/\/ …$/)
})
