import playground.models.packed
from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('playground', '0018_unused'),
    ]

    operations = [
        # The column stays as it is: SQLite would copy the whole table.
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    model_name='experiment',
                    name='data',
                    field=playground.models.packed.PackedJSONField(),
                ),
            ],
        ),
    ]
