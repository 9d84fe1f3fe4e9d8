/**
 * Replaces the lower triangle of a symmetric positive definite matrix (row-major, n × n) by its Cholesky factor L.
 * The upper triangle is neither read nor written. Throws RangeError when the matrix is not positive definite.
 */
export function factorise(matrix: Float64Array, n: number): Float64Array {
  for (let j = 0; j < n; j++) {
    const rowJ = j * n
    let pivot = matrix[rowJ + j] ?? Number.NaN
    for (let k = 0; k < j; k++) pivot -= (matrix[rowJ + k] ?? 0) ** 2
    if (!(pivot > 0)) throw new RangeError(`not positive definite at row ${j}`)
    pivot = Math.sqrt(pivot)
    matrix[rowJ + j] = pivot
    for (let i = j + 1; i < n; i++) {
      const rowI = i * n
      let value = matrix[rowI + j] ?? 0
      for (let k = 0; k < j; k++) value -= (matrix[rowI + k] ?? 0) * (matrix[rowJ + k] ?? 0)
      matrix[rowI + j] = value / pivot
    }
  }
  return matrix
}

/** Solves L L' x = b in place; `factor` as factorise left it. Returns b. */
export function solve(factor: Float64Array, n: number, b: Float64Array): Float64Array {
  for (let i = 0; i < n; i++) {
    let value = b[i] ?? 0
    for (let k = 0; k < i; k++) value -= (factor[i * n + k] ?? 0) * (b[k] ?? 0)
    b[i] = value / (factor[i * n + i] ?? Number.NaN)
  }
  for (let i = n - 1; i >= 0; i--) {
    let value = b[i] ?? 0
    for (let k = i + 1; k < n; k++) value -= (factor[k * n + i] ?? 0) * (b[k] ?? 0)
    b[i] = value / (factor[i * n + i] ?? Number.NaN)
  }
  return b
}

export function dot(a: Float64Array, b: Float64Array): number {
  let total = 0
  for (let i = 0; i < a.length; i++) total += (a[i] ?? 0) * (b[i] ?? 0)
  return total
}
