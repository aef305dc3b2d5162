/** A complex number in doubles. */
export interface Complex {
  readonly re: number;
  readonly im: number;
}

export const real = (re: number): Complex => ({ re, im: 0 });

export const plus = (a: Complex, b: Complex): Complex => ({ re: a.re + b.re, im: a.im + b.im });

export const minus = (a: Complex, b: Complex): Complex => ({ re: a.re - b.re, im: a.im - b.im });

export const times = (a: Complex, b: Complex): Complex => ({
  re: a.re * b.re - a.im * b.im,
  im: a.re * b.im + a.im * b.re,
});

export function over(a: Complex, b: Complex): Complex {
  if (b.im === 0) return { re: a.re / b.re, im: a.im / b.re };
  const size = b.re * b.re + b.im * b.im;
  return { re: (a.re * b.re + a.im * b.im) / size, im: (a.im * b.re - a.re * b.im) / size };
}

export const length = (a: Complex): number => Math.hypot(a.re, a.im);

export function exp(a: Complex): Complex {
  const size = Math.exp(a.re);
  return a.im === 0 ? real(size) : { re: size * Math.cos(a.im), im: size * Math.sin(a.im) };
}

/** The principal value. */
export function ln(a: Complex): Complex {
  return { re: Math.log(length(a)), im: Math.atan2(a.im, a.re) };
}

/** The principal value. */
export function raise(base: Complex, exponent: Complex): Complex {
  if (base.re === 0 && base.im === 0) return exponent.re > 0 ? real(0) : real(Number.NaN);
  if (base.im === 0 && exponent.im === 0 && (base.re > 0 || Number.isInteger(exponent.re)))
    return real(base.re ** exponent.re);
  return exp(times(exponent, ln(base)));
}

/** The real root of a real number where there is one, else the principal one. */
export function rootOf(of: Complex, degree: number): Complex {
  if (of.im === 0 && of.re < 0 && degree % 2 === 1) return real(-((-of.re) ** (1 / degree)));
  if (of.im === 0 && of.re >= 0) return real(degree === 2 ? Math.sqrt(of.re) : of.re ** (1 / degree));
  if (of.im === 0 && degree === 2) return { re: 0, im: Math.sqrt(-of.re) };
  return raise(of, real(1 / degree));
}

export function sin({ re, im }: Complex): Complex {
  return im === 0
    ? real(Math.sin(re))
    : { re: Math.sin(re) * Math.cosh(im), im: Math.cos(re) * Math.sinh(im) };
}

export function cos({ re, im }: Complex): Complex {
  return im === 0
    ? real(Math.cos(re))
    : { re: Math.cos(re) * Math.cosh(im), im: -Math.sin(re) * Math.sinh(im) };
}
