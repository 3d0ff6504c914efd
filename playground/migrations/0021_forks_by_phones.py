from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('playground', '0020_homework'),
    ]

    operations = [
        migrations.AddField(
            model_name='classfork',
            name='by_phone',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='classfork',
            name='digest',
            field=models.CharField(blank=True, max_length=64),
        ),
    ]
