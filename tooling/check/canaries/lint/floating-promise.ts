async function work(): Promise<void> {}
export function run(): void {
  work()
}
