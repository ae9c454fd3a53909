export { createMemoryProvider, type MemoryProvider, type MemoryProviderOptions } from './memory-provider.ts'
