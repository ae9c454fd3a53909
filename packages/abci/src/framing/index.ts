export { createFrameParser } from './frame-parser.ts'
export { createFrameWriter, type FrameWriter } from './frame-writer.ts'
