one

three
four