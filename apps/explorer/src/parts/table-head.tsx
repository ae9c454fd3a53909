/** The head of a table. The columns whose titles are in `numbers` hold numbers, which are aligned at the right side. */
export function TableHead({
  columns,
  numbers = [],
}: {
  readonly columns: readonly string[]
  readonly numbers?: readonly string[]
}) {
  return (
    <thead>
      <tr>
        {columns.map((title) => (
          <th key={title} scope="col" class={numbers.includes(title) ? 'num' : undefined}>
            {title}
          </th>
        ))}
      </tr>
    </thead>
  )
}
