export { createFrameParser, type FrameParser } from './frame-parser.ts'
export { createFrameWriter, type FrameWriter } from './frame-writer.ts'
