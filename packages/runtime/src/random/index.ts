export { createSeededRandom, createSystemRandom, type Random } from './random.ts'
