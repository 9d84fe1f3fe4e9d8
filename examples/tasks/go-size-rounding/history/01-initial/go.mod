module example.com/humansize

go 1.19
