export { completeAnswer } from './complete-answer.ts'
export { describe, kindOf } from './describe.ts'
