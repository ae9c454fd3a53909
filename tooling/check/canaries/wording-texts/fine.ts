// Comments are read by the other part of the check: nobody.
export const kind = 'told'
export const text = 'The node sends its height. What is missing?'
