export { completeAnswer } from './complete-answer.ts'
export { describe } from './describe.ts'
