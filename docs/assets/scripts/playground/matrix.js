// Matrices of float32 numbers, and the few operations that a Transformer needs.

export class Matrix {
  constructor(rows, columns, data = new Float32Array(rows * columns)) {
    this.rows = rows
    this.columns = columns
    this.data = data
  }

  /** Row i, not copied. */
  row(i) {
    return this.data.subarray(i * this.columns, (i + 1) * this.columns)
  }

  /** A new matrix of the same shape, each number made from the old one. */
  map(change) {
    return new Matrix(this.rows, this.columns, this.data.map(change))
  }
}

/** The sum of two matrices of one shape: a sub-layer's output added to its input. */
export function add(a, b) {
  return a.map((x, i) => x + b.data[i])
}

/** x Wᵀ + b, as nn.Linear has it: a row of the weight for each number that comes out. */
export function linear(x, { weight, bias }) {
  const { rows, columns, data } = weight
  const out = new Matrix(x.rows, rows)
  for (let i = 0; i < x.rows; i++) {
    const row = x.row(i)
    for (let j = 0, at = 0; j < rows; j++) {
      let sum = bias ? bias[j] : 0
      for (let k = 0; k < columns; k++) sum += row[k] * data[at++]
      out.data[i * rows + j] = sum
    }
  }
  return out
}

/** Every row of a compared with every row of b: a bᵀ. */
export function compare(a, b) {
  return linear(a, { weight: b })
}

/** Rows of b added up with the weights that stand in a row of a: a b. */
export function mix(a, b) {
  const out = new Matrix(a.rows, b.columns)
  for (let i = 0; i < a.rows; i++) {
    const row = out.row(i)
    for (let k = 0; k < b.rows; k++) {
      const weight = a.data[i * b.rows + k]
      for (let j = 0; j < row.length; j++) row[j] += weight * b.data[k * row.length + j]
    }
  }
  return out
}

/** Some columns of each row, from `start` on. */
export function columns(x, start, count) {
  const out = new Matrix(x.rows, count)
  for (let i = 0; i < x.rows; i++) out.row(i).set(x.row(i).subarray(start, start + count))
  return out
}

/** Matrices with the same rows, side by side. */
export function beside(matrices) {
  const out = new Matrix(
    matrices[0].rows,
    matrices.reduce((sum, m) => sum + m.columns, 0),
  )
  let start = 0
  for (const matrix of matrices) {
    for (let i = 0; i < out.rows; i++) out.row(i).set(matrix.row(i), start)
    start += matrix.columns
  }
  return out
}

/** The rows of b under those of a. */
export function below(a, b) {
  const out = new Matrix(a.rows + b.rows, b.columns)
  out.data.set(a.data)
  out.data.set(b.data, a.data.length)
  return out
}

/** Logarithms of the probabilities that softmax makes of some numbers. */
export function log_softmax(numbers) {
  const most = numbers.reduce((a, b) => Math.max(a, b))
  let sum = 0
  for (const number of numbers) sum += Math.exp(number - most)
  return numbers.map(number => number - most - Math.log(sum))
}
