let a   = "x" ;
export {a}
