export { createEngine } from '@org/engine/node'
