import '../cli/run.ts'
