C SPDX-License-Identifier: GPL-2.0-or-later
C     Fixed form: labels, names in common, a directive of two lines.
      PROGRAM FIXED
      DOUBLE PRECISION X(500), Y(500), PRODUCT_OF_ALL, SCALED_VALUE
      COMMON /SHARED/ X, Y
      DO 10 I = 1, 500
   10 X(I) = 1 + 1D-4 * I
      PRODUCT_OF_ALL = 1
      SUM_OF_ALL_VALUES = 0
      DO 20 J = 1, 500
        SCALED_VALUE = X(J) * 2
        Y(J) = SCALED_VALUE +
     &         SCALED_VALUE
        PRODUCT_OF_ALL = PRODUCT_OF_ALL * X(J)
        SUM_OF_ALL_VALUES = SUM_OF_ALL_VALUES + REAL(J)
   20 CONTINUE
      WRITE (*, '(2F14.6)') PRODUCT_OF_ALL, SUM_OF_ALL_VALUES, Y(7)
      END
