"""Elementary functions whose results are identical to the last bit on every machine.

The C library and NumPy choose different code for different processors, and results may differ in the last bit. After
rounding to nanoseconds, such a difference would now and then move an event. These functions use only +, -, *, /, sqrt
and the bits of a number, which IEEE 754 defines exactly. The relative errors of log, exp and the quantile are below
1e-14, far smaller than a sampled duration needs. `frexp` and `ldexp` are exact.
"""

from __future__ import annotations

import math

import numpy as np

from scheduler_core.engine.jit import kernel

_LN2_HIGH = 6.93147180369123816490e-01
_LN2_LOW = 1.90821492927058770002e-10
_SQRT_HALF = 0.7071067811865476

# The parts of a float's 64 bits: 52 of the mantissa, 11 of the exponent, one of the sign.
_MANTISSA_BITS, _EXPONENT_MASK = 52, 0x7FF
_WITHOUT_EXPONENT = ~(0x7FF << 52)
_HALF_EXPONENT = 1022
"""The exponent bits of numbers from 0.5 to 1."""
_LARGEST_EXPONENT, _SMALLEST_NORMAL, _SMALLEST = 1024, -1021, -1080


@kernel
def frexp(x: float) -> tuple[float, int]:
    """Return (m, e) with x = m * 2**e and 0.5 <= |m| < 1; (x, 0) for 0, infinities and NaN."""
    if x == 0.0 or not -np.inf < x < np.inf:
        return x, 0
    bits, more = np.float64(x).view(np.int64), 0
    if (bits >> _MANTISSA_BITS) & _EXPONENT_MASK == 0:  # a subnormal number: make it a normal one, exactly
        bits, more = np.float64(x * 18014398509481984.0).view(np.int64), 54
    exponent = (bits >> _MANTISSA_BITS) & _EXPONENT_MASK
    mantissa = np.int64((bits & _WITHOUT_EXPONENT) | (_HALF_EXPONENT << _MANTISSA_BITS)).view(np.float64)
    return mantissa, exponent - _HALF_EXPONENT - more  # type: ignore[return-value]


@kernel
def ldexp(x: float, n: int) -> float:
    """Return x * 2**n, rounded once; infinity where that is too large."""
    mantissa, exponent = frexp(x)
    exponent += n
    if x == 0.0 or not -np.inf < x < np.inf:
        return x
    if exponent > _LARGEST_EXPONENT:
        return mantissa * np.inf
    if exponent >= _SMALLEST_NORMAL:
        return _with_exponent(mantissa, exponent)
    # A subnormal result: the last multiplication is the only one that rounds.
    return _with_exponent(mantissa, max(exponent, _SMALLEST) + 64) * 5.421010862427522e-20


@kernel
def _with_exponent(mantissa: float, exponent: int) -> float:
    """Return mantissa * 2**exponent, where 0.5 <= |mantissa| < 1 and the result is a normal number."""
    bits = np.float64(mantissa).view(np.int64) & _WITHOUT_EXPONENT
    return np.int64(bits | ((exponent + _HALF_EXPONENT) << _MANTISSA_BITS)).view(np.float64)


@kernel
def log(x: float) -> float:
    """Return the natural logarithm of x > 0; minus infinity for 0, NaN below."""
    if x <= 0.0:
        return -np.inf if x == 0.0 else np.nan
    mantissa, exponent = frexp(x)
    if mantissa < _SQRT_HALF:
        mantissa *= 2.0
        exponent -= 1
    # ln(m) = 2 artanh(s), s = (m - 1) / (m + 1), |s| < 0.1716: twelve terms reach the last bits.
    s = (mantissa - 1.0) / (mantissa + 1.0)
    square = s * s
    total = 0.0
    for k in range(25, 0, -2):
        total = total * square + 1.0 / k
    return 2.0 * s * total + exponent * _LN2_LOW + exponent * _LN2_HIGH


@kernel
def exp(x: float) -> float:
    """Return the exponential of x; 0 below -745, infinity above 709.7."""
    if x < -745.0:
        return 0.0
    if x > 709.7:
        return np.inf
    k = math.floor(x / 0.6931471805599453 + 0.5)
    r = (x - k * _LN2_HIGH) - k * _LN2_LOW
    total = 1.0
    for n in range(14, 0, -1):
        total = 1.0 + total * r / n
    return ldexp(total, int(k))


@kernel
def normal_quantile(p: float) -> float:
    """Return the standard normal quantile for 0 < p < 1 (Wichura 1988, algorithm AS 241, PPND16)."""
    q = p - 0.5
    if abs(q) <= 0.425:
        r = 0.180625 - q * q
        num = (
            (
                (
                    (
                        ((2509.0809287301226727 * r + 33430.575583588128105) * r + 67265.770927008700853) * r
                        + 45921.953931549871457
                    )
                    * r
                    + 13731.693765509461125
                )
                * r
                + 1971.5909503065514427
            )
            * r
            + 133.14166789178437745
        ) * r + 3.387132872796366608
        den = (
            (
                (
                    (
                        ((5226.495278852545925 * r + 28729.085735721942674) * r + 39307.89580009271061) * r
                        + 21213.794301586595867
                    )
                    * r
                    + 5394.1960214247511077
                )
                * r
                + 687.1870074920579083
            )
            * r
            + 42.313330701600911252
        ) * r + 1.0
        return q * num / den
    r = p if q < 0.0 else 1.0 - p
    r = math.sqrt(-log(r))
    if r <= 5.0:
        r -= 1.6
        num = (
            (
                (
                    (
                        ((7.7454501427834140764e-4 * r + 0.0227238449892691845833) * r + 0.24178072517745061177) * r
                        + 1.27045825245236838258
                    )
                    * r
                    + 3.64784832476320460504
                )
                * r
                + 5.7694972214606914055
            )
            * r
            + 4.6303378461565452959
        ) * r + 1.42343711074968357734
        den = (
            (
                (
                    (
                        ((1.05075007164441684324e-9 * r + 5.475938084995344946e-4) * r + 0.0151986665636164571966) * r
                        + 0.14810397642748007459
                    )
                    * r
                    + 0.68976733498510000455
                )
                * r
                + 1.6763848301838038494
            )
            * r
            + 2.05319162663775882187
        ) * r + 1.0
    else:
        r -= 5.0
        num = (
            (
                (
                    (
                        ((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 0.0012426609473880784386) * r
                        + 0.026532189526576123093
                    )
                    * r
                    + 0.29656057182850489123
                )
                * r
                + 1.7848265399172913358
            )
            * r
            + 5.4637849111641143699
        ) * r + 6.6579046435011037772
        den = (
            (
                (
                    (
                        ((2.04426310338993978564e-15 * r + 1.4215117583164458887e-7) * r + 1.8463183175100546818e-5) * r
                        + 7.868691311456132591e-4
                    )
                    * r
                    + 0.0148753612908506148525
                )
                * r
                + 0.13692988092273580531
            )
            * r
            + 0.59983220655588793769
        ) * r + 1.0
    value = num / den
    return -value if q < 0.0 else value
