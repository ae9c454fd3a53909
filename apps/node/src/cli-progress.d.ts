/** The types of the parts of the package cli-progress that the node uses. The package itself contains no types. */
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
