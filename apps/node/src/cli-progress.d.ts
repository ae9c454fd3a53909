/** Types for the package `cli-progress`, which contains no types. Only the members that the node uses are declared. */
declare module 'cli-progress' {
  export interface BarOptions {
    readonly format: string
    readonly stream: NodeJS.WritableStream
    readonly hideCursor: boolean
    readonly clearOnComplete: boolean
  }
  export class SingleBar {
    constructor(options: BarOptions)
    start(total: number, startValue: number): void
    update(value: number): void
    stop(): void
  }
}
