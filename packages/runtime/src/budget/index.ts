export { type Budget, type BudgetOptions, createBudget } from './budget.ts'
