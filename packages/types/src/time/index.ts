export { formatTime, parseTime, type Time, ZERO_TIME } from './time.ts'
