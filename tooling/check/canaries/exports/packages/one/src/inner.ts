export class Kept {}

export interface Same {
  readonly planted: 'an interface that is in the list'
}
export const added = 'a name that is not in the list'
