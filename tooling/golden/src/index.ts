export { recording, recordingJson, recordingLines, recordingPath, recordingText, unpackHome } from './recordings.ts'
